import { HttpError } from "./http-error";

/** A refusal in the API's own form, where Next would answer with a page. */
export async function noSuchRoute(): Promise<Response> {
  throw new HttpError(404, "There is no such route.");
}
