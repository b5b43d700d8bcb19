/** What the key of the image service holds, and who spent it. */
export { credits } from "./account.ts";
