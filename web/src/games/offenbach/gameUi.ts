// Offenbach Molotov is shown as Molotov is.
export { gameUi } from "../molotov/gameUi";
