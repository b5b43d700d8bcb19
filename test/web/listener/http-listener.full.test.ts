import { describe, expect, it } from "vitest";
import { dial, readToEnd } from "../sockets.ts";
import { linkToken, openWebForTest } from "../stage.ts";

// Node's own limits are 5 and 10 seconds.
describe("openHttpListener", () => {
  it("hangs up on who says nothing, and on what never comes to an end", async () => {
    const web = await openWebForTest();
    const [silent, header, form] = [await dial(web), await dial(web), await dial(web)];
    header.write("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    form.write(
      `POST /connect/${linkToken} HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\nCookie: __Host-greenroom-link=${"b".repeat(43)}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\npermission=read",
    );
    const drip = setInterval(() => {
      header.write("x");
      form.write("&");
    }, 200);

    const said = await Promise.all([readToEnd(silent), readToEnd(header), readToEnd(form)]);
    clearInterval(drip);

    expect(said.join("")).not.toContain("200 OK");
    expect(web.calls).toEqual([]);
  });
});
