export { banner } from "./banner.ts";
export { thumbnail } from "./thumbnail.ts";
export { watermark, watermarkTimes } from "./watermark.ts";
