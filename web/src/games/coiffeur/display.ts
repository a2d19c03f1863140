// Coiffeur is played as Schieber is.
export { display } from "../schieber/display";
