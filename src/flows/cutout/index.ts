export { cutOut, picturesOf } from "./cutout.ts";
