export { credits } from "./account.ts";
