/**
 * Unpacks the page's program from the page itself and starts it: nothing is fetched. The worker's program stays packed until the user gives a file.
 */
import { unpackedUrl } from "./unpacked";

void unpackedUrl("program").then((url) => {
  const script = document.createElement("script");
  script.src = url;
  document.body.append(script);
});
