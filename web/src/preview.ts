import "./app.css";
import { mount } from "svelte";
import P from "./Preview.svelte";
import { settings } from "./lib/settings.svelte";
if (location.hash) settings.deck = location.hash.slice(1) as "swiss";
mount(P, { target: document.body });
