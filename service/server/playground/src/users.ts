// Tokens of users: a tenant issues and revokes them, and the page plays with one.

import type { JsonObject } from "@bufbuild/protobuf";

import { has, methodOf, text } from "./calls.js";
import { timeOf } from "./clock.js";
import { quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { place, submit } from "./dom.js";

export class Users {
  /** `play` is called with a token that the page is to use as its key. */
  constructor(
    private readonly desk: Desk,
    private readonly play: (token: string) => Promise<void>,
  ) {
    place("users-panel").hidden = !desk.facts.tokens;
    submit("users-form", () => this.#issue());
    place("users-revoke").addEventListener("click", () => void this.#revoke());
    place("users-copy").addEventListener("click", () => void this.#copy());
    place("users-play").addEventListener("click", () => void this.play(this.#issued.value));
  }

  async #issue(): Promise<void> {
    this.#forget();
    await this.desk.attempt(async () => {
      const { service, snippets } = this.desk;
      const seconds = Number(place<HTMLSelectElement>("users-valid").value);
      const json: JsonObject = this.#holder();
      if (seconds > 0) {
        json.expireTime = new Date(service.now() + seconds * 1_000).toISOString();
      }
      const method = methodOf(service.access, "IssueToken");
      const expires = seconds > 0 ? ` --expires-in ${seconds}s` : "";
      const command = `token issue --user ${quoted(this.#user)}${expires}`;
      snippets.show("users", { method, request: service.request(method, json), command });
      const user = this.#user;
      const { answer } = await service.call(service.access, "IssueToken", json);
      this.#issued.value = text(answer, "token");
      place("users-token").hidden = false;
      const until = has(answer, "expire_time") ? `until ${new Date(timeOf(answer, "expire_time")).toLocaleString()}` : "without an end";
      this.#say(`A token for ${user}, valid ${until}.`);
    });
  }

  async #revoke(): Promise<void> {
    // The form says itself which field is missing.
    if (!place<HTMLFormElement>("users-form").reportValidity()) {
      return;
    }
    this.#forget();
    await this.desk.attempt(async () => {
      const { service } = this.desk;
      const user = this.#user;
      await service.call(service.access, "RevokeTokens", this.#holder());
      this.#say(`All tokens that were issued to ${user} are revoked.`);
    });
  }

  async #copy(): Promise<void> {
    this.#issued.select();
    try {
      await navigator.clipboard.writeText(this.#issued.value);
      this.#say("The token is copied.");
    } catch {
      this.#say("The token is selected: copy it by hand.");
    }
  }

  /** Clears the messages and the token of the user before. */
  #forget(): void {
    this.#issued.value = "";
    place("users-token").hidden = true;
    this.#say("");
  }

  #holder(): JsonObject {
    return { holder: { user: { user: this.#user } } };
  }

  get #user(): string {
    return place<HTMLInputElement>("users-user").value.trim();
  }

  get #issued(): HTMLInputElement {
    return place("users-issued");
  }

  #say(words: string): void {
    place("users-status").textContent = words;
  }
}
