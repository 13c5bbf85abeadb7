// What moves on the table glides to its new place, unless the reader wants things to stand still.

import assert from "node:assert/strict";

import { actions, create, shows } from "./common.mjs";

/** As many actions are played at least, and at most: dice fall at random, and a player may set them all aside. */
const [LEAST_PLAYED, MOST_PLAYED] = [14, 80];

/** Places differ by less where nothing has moved, in units of the drawing: numbers become wider. */
const LEAST = 12;

export async function tryMotion(page) {
  await create(page, "kingsburg");
  await page.evaluate(watch, LEAST);
  const isDie = ({ name }) => name.startsWith("die:");
  const isGiven = (name) => /^(good|plus2|soldiers):/.test(name);
  const { seen, played } = await playUntil(
    page,
    1,
    ({ glided }) => glided.some(isDie),
    ({ sent }) => sent.some(isGiven),
  );
  for (const { moved, glided } of seen) assert.deepEqual(glided.map(({ name }) => name).sort(), moved.sort());
  const glided = seen.flatMap(({ glided }) => glided);
  assert.ok(glided.some(isDie), "dice glide to their advisor");
  const sent = seen.flatMap(({ sent }) => sent);
  assert.ok(sent.some(isGiven), `what advisors give comes from them: ${sent}`);
  for (const { name, from, to, was, is } of glided) {
    assert.ok(near(from, was), `${name} begins at ${from}, not at ${was}`);
    assert.ok(near(to, is), `${name} ends at ${to}, not at ${is}`);
  }
  await page.locator("#drawing .gliding > *").first().waitFor({ state: "detached" });
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { seen: still } = await playUntil(page, 1 + played, ({ moved }) => moved.length > 0);
  assert.ok(still.some(({ moved }) => moved.length > 0), "something has moved");
  assert.deepEqual(still.flatMap(({ glided, sent }) => [...glided, ...sent]), []);
  await page.emulateMedia({ reducedMotion: null });
}

const near = (one, other) => one.every((value, axis) => Math.abs(value - other[axis]) < 1.5);

/** Plays on until each of these has been seen in one of the drawings; gives all of them. */
async function playUntil(page, version, ...awaited) {
  const seen = [];
  let played = 0;
  while (played < LEAST_PLAYED || (played < MOST_PLAYED && !awaited.every((isSeen) => seen.some(isSeen)))) {
    await actions(page).nth(Math.floor((await actions(page).count()) / 2)).click();
    played += 1;
    await shows(page, version + played);
    seen.push(...(await page.evaluate(() => looks.splice(0))));
  }
  assert.ok(seen.length >= played, `${seen.length} drawings of ${played} actions`);
  return { seen, played };
}

/** Notes in the page, for every new drawing, which components have moved, and which glide from where to where. */
function watch(least) {
  window.looks = [];
  const middle = (element) => {
    const svg = document.querySelector("#drawing svg");
    const [sheet, box] = [svg, element].map((one) => one.getBoundingClientRect());
    const scale = svg.viewBox.baseVal.width / sheet.width;
    return [(box.left + box.width / 2 - sheet.left) * scale, (box.top + box.height / 2 - sheet.top) * scale];
  };
  const places = () => new Map([...document.querySelectorAll("#drawing [data-component]")].map((element) => [element.dataset.component, middle(element)]));
  const follow = (copy, before, now) => {
    const [animation] = copy.getAnimations();
    animation.pause();
    const at = (time) => {
      animation.currentTime = time;
      return middle(copy);
    };
    const { duration } = animation.effect.getTiming();
    const name = copy.dataset.copy;
    const noted = { name, from: at(0), to: at(duration - 0.01), was: before.get(name), is: now.get(name) };
    animation.play();
    return noted;
  };
  let before = places();
  const look = () => {
    const now = places();
    const far = ([name, [x, y]]) => before.has(name) && Math.hypot(before.get(name)[0] - x, before.get(name)[1] - y) >= least;
    const moved = [...now].filter(far).map(([name]) => name);
    const glided = [...document.querySelectorAll("#drawing .gliding > [data-copy]")].map((copy) => follow(copy, before, now));
    const sent = [...document.querySelectorAll("#drawing .gliding > [data-sent]")].map((copy) => copy.dataset.sent);
    window.looks.push({ moved, glided, sent });
    before = now;
  };
  new MutationObserver(look).observe(document.getElementById("drawing"), { childList: true });
}
