import { mount } from "svelte";
import "../../src/app/app.css";
import { settings } from "../../src/settings/settings.svelte";
import Preview from "./Preview.svelte";

settings.deck = "swiss";
mount(Preview, { target: document.body });
