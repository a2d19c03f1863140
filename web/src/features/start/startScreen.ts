// The start page with what it begins with, loaded on demand.
export { default as StartPage } from "./StartPage.svelte";
export { loadStartData } from "./startData";
