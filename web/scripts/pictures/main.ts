import { mount } from "svelte";
import "../../src/app.css";
import { settings } from "../../src/lib/settings.svelte";
import Preview from "./Preview.svelte";

settings.deck = "swiss";
mount(Preview, { target: document.body });
