import { describe, expect, it } from "vitest";
import { LimitError, NetworkError, ServiceError } from "../../src/errors.ts";
import { answering, cut, failureOf } from "../http/server.ts";
import { fieldsOf, jpg, png, serve } from "./wire.ts";

const id = "0b4ff0a6-4f4d-4d0c-9f5e-3f9c52d6f6c1";
const taken = answering(200, { id });
const imageUrl = "https://example.com/a.png";

describe("improve", () => {
  it("sends the file, its name and its tag, and answers the id", async () => {
    const { client, received } = await serve(taken);

    const improvement = await client().improve({
      image: jpg,
      imageFilename: "car.jpg",
      tag: "cars",
    });

    expect(improvement).toEqual({ id });
    expect(received[0]?.method).toBe("POST");
    expect(received[0]?.url.pathname).toBe("/v1.0/improve");
    expect(received[0]?.headers["x-api-key"]).toBe("the-key");
    expect(await fieldsOf(received[0])).toEqual({
      image_file: { name: "car.jpg", type: "image/jpeg", bytes: jpg },
      image_filename: "car.jpg",
      tag: "cars",
    });
  });

  it.each(["form", "json"] as const)("sends base64 in a %s body", async (body) => {
    const { client, received } = await serve(taken);

    await client().improve({ image: png, tag: "cups" }, { body });

    expect(await fieldsOf(received[0])).toEqual({
      image_file_b64: png.toString("base64"),
      tag: "cups",
    });
  });

  it.each(["multipart", "form", "json"] as const)("sends an address in a %s body", async (body) => {
    const { client, received } = await serve(taken);

    await client().improve({ imageUrl }, { body });

    expect(await fieldsOf(received[0])).toEqual({ image_url: imageUrl });
  });

  it("is never sent again after a cut", async () => {
    const { client, received } = await serve(cut);

    const error = await failureOf(client().improve({ image: png }), NetworkError);

    expect([error.code, error.outcome]).toEqual(["cut", "unknown"]);
    expect(received).toHaveLength(1);
  });

  it("is tried three times on a 5xx", async () => {
    const { client, received } = await serve(answering(500, "<html>"));

    const error = await failureOf(client().improve({ image: png }), ServiceError);

    expect([error.code, error.outcome]).toEqual(["service_unavailable", "unknown"]);
    expect(received).toHaveLength(3);
  });

  it("says when the service takes more, and holds no cut-outs up for it", async () => {
    const { client, allowance, time, received } = await serve(
      answering(429, {}, { "retry-after": "7200" }),
    );

    const error = await failureOf(client().improve({ image: png }), LimitError);

    expect(error.code).toBe("rate_limited");
    expect(error.retryAt?.getTime()).toBe(time.now() + 7_200_000);
    expect(await allowance.pacer.heldUntil()).toBeUndefined();
    expect(received).toHaveLength(1);
  });

  it("is not sent while the key is held", async () => {
    const { client, allowance, time, received } = await serve(taken);
    allowance.pacer.hold(time.now() + 5_000);

    const error = await failureOf(client().improve({ image: png }), LimitError);

    expect(error.retryAt?.getTime()).toBe(time.now() + 5_000);
    expect(received).toEqual([]);
  });

  it.each(["{}", "<html>", '{"id":5}', '{"id":""}', "null"])(
    "does not take %s for a confirmation",
    async (body) => {
      const { client } = await serve(answering(200, body));

      const error = await failureOf(client().improve({ image: png }), ServiceError);

      expect([error.code, error.outcome]).toEqual(["unreadable_answer", "unknown"]);
    },
  );
});
