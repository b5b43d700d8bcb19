import { command, cutOut, option, subcommand } from "../src/discord/index.ts";

export default command({
  description: "Cut the background out of pictures",
  subcommands: {
    remove: subcommand({
      description: "Remove the background of a picture",
      needs: ["background-key"],
      options: {
        image: option.attachment({ description: "A JPEG, PNG or WebP picture", required: true }),
        format: option.choice({
          description: "Kind of file; the best one for the picture otherwise",
          choices: [
            { name: "PNG (transparent, up to 10 megapixels)", value: "png" },
            { name: "WebP (transparent, small)", value: "webp" },
            { name: "JPG (on a colour)", value: "jpg" },
          ],
        }),
        color: option.color({
          description: "Colour behind the subject, like white or #ff8800; makes a JPG",
        }),
        size: option.choice({
          description: "How large the result is; as large as the picture otherwise",
          choices: [
            { name: "As the picture, up to 25 megapixels (1 credit)", value: "auto" },
            { name: "Up to 50 megapixels (1 credit)", value: "50MP" },
            { name: "Preview, a quarter of a megapixel (¼ credit)", value: "preview" },
          ],
        }),
        subject: option.choice({
          description: "What is in the picture; found out otherwise",
          choices: [
            { name: "Person", value: "person" },
            { name: "Product", value: "product" },
            { name: "Animal", value: "animal" },
            { name: "Car", value: "car" },
            { name: "Other vehicle", value: "transportation" },
            { name: "Graphic", value: "graphic" },
          ],
        }),
      },
      run: (ctx) => {
        const { image, format = "auto", color, size, subject: type } = ctx.options;
        return cutOut(ctx, [image], { format, color, size, type });
      },
    }),
  },
});
