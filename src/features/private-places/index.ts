/** What is not for everyone is posted where everyone reads it only after a question. */

export {
  askAboutPublicPlace,
  chosenPlace,
  type PlaceAnswer,
  publicPlaceLine,
} from "./ask.ts";
