// Offenbach Molotov is shown as Molotov is.
export { display } from "../molotov/gameUi";
