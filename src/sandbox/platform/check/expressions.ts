import { type Check, list, required, shape, snowflake, text } from "./check.ts";

const image: Check = (value, report) => {
  if (typeof value !== "string" || !/^data:image\/[a-z]+;base64,/u.test(value)) {
    report.fail("IMAGE_INVALID", "Invalid image data");
  }
};

/** https://docs.discord.com/developers/resources/emoji#create-guild-emoji */
export const emojiBody = shape({
  name: required(text(2, 32, /^\w+$/)),
  image: required(image),
  roles: list(snowflake, 0, 100),
});

/** An empty description is none; a field that is not there at all breaks the form. */
const description: Check = (value, report) => {
  if (value !== "") text(2, 100)(value, report);
};

/** https://docs.discord.com/developers/resources/sticker#create-guild-sticker; the file beside it. */
export const stickerFields = shape({
  name: required(text(2, 30)),
  tags: required(text(1, 200)),
  description: required(description),
});
