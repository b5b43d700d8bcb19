import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors.ts";
import { sessionUrl } from "../../../src/video/upload/steps.ts";

const base = "https://youtube.googleapis.com/upload/youtube/v3/videos?uploadType=resumable";

describe("sessionUrl", () => {
  it.each([
    "https://youtube.googleapis.com/upload/youtube/v3/videos?upload_id=a",
    "https://www.googleapis.com/upload/youtube/v3/videos?upload_id=a%2Fb",
    "https://storage.googleapis.com/x",
  ])("trusts the service's own hosts among each other: %s", (location) => {
    expect(sessionUrl("videos.insert", location, base)).toBe(location);
  });

  it.each([
    "http://youtube.googleapis.com/x",
    "https://googleapis.com.evil.example/x",
    "https://evilgoogleapis.com/x",
    "https://www.googleapis.com:8443/x",
    "https://user@www.googleapis.com/x",
    "https://user:pass@youtube.googleapis.com/x",
    "https://youtube.googleapis.com:444/x",
    "https://127.0.0.1/x",
    "javascript:alert(1)",
  ])("refuses %s", (location) => {
    expect(() => sessionUrl("videos.insert", location, base)).toThrow(
      expect.objectContaining({ code: "upload_session_host" }),
    );
  });

  it("refuses the service's hosts to anybody else", () => {
    const own = "https://video.example/upload/videos";

    expect(() => sessionUrl("videos.insert", "https://www.googleapis.com/x", own)).toThrow(
      ServiceError,
    );
    expect(sessionUrl("videos.insert", "https://video.example/s?id=1", own)).toBe(
      "https://video.example/s?id=1",
    );
  });

  it("leaves an older token and a fragment out", () => {
    const location = "https://www.googleapis.com/s?access_token=old&upload_id=1#x";

    expect(sessionUrl("videos.insert", location, base)).toBe(
      "https://www.googleapis.com/s?upload_id=1",
    );
  });
});
