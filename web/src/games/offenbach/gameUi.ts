// Offenbach Molotov has the display of Molotov.
export { gameUi } from "../molotov/gameUi";
