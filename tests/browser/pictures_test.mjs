// All kinds of SVG that takt writes, and those of the documents, outside a browser.
// Usage: node pictures_test.mjs TAKT ROOT   as browser_test.mjs, with rsvg-convert and Inkscape
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import test from 'node:test';

import { chromium } from 'playwright-core';

import * as checks from './picture_checks.mjs';

const [takt, root] = process.argv.slice(2).map((path) => resolve(path));
assert.ok(takt && root, 'usage: node pictures_test.mjs TAKT ROOT');
const folder = resolve('pictures');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.TAKT_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'], // root has none
});

const examples = ['example-a', 'example-b', 'several-parts', 'video', 'weighted-round-robin'].map((name) =>
  join(root, 'examples', `${name}.json`));

const drawings = [];

// What a command writes; a drawing that it refuses to make is none.
function draw(name, words, option = '-o') {
  const drawing = join(folder, `${name}.svg`);
  try {
    execFileSync(takt, [...words, option, drawing], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    assert.equal(error.status, 4, error.stderr);
    return;
  }
  drawings.push(drawing);
}

for (const file of examples) {
  for (const model of ['overlap', 'strict']) {
    const name = `${basename(file, '.json')}-${model}`;
    const words = [file, '--model', model];
    draw(`${name}-gantt`, ['gantt', ...words]);
    draw(`${name}-start`, ['gantt', ...words, '--schedule', 'start-up', '--color', 'kind']);
    draw(`${name}-dot`, ['dot', ...words, '--collapse']);
    const { parameters } = JSON.parse(execFileSync(takt, ['sensitivity', ...words, '--json'], { encoding: 'utf8' }));
    if (parameters.length === 0) continue;
    draw(`${name}-curve`, ['sensitivity', ...words, '--curve', '--parameter', parameters[0].pointer]);
  }
}
const catalogue = join(root, 'examples/catalogue.json');
draw('costs', ['plan', catalogue, '--rate', '200/s', '--up-to', '450/s'], '--plot');
for (const place of ['docs', 'docs/figures', 'docs/experiments']) {
  for (const name of readdirSync(join(root, place)).filter((name) => name.endsWith('.svg'))) {
    const copy = join(folder, `${place.replaceAll('/', '-')}-${name}`);
    copyFileSync(join(root, place, name), copy);
    drawings.push(copy);
  }
}

const by_inkscape = checks.draw_by_inkscape(drawings);
for (const [k, drawing] of drawings.entries()) {
  await test(`picture ${basename(drawing, '.svg')}`, async (t) => {
    const reference = await checks.draw_by_chromium(browser, drawing, 'light');
    const has_other_fonts = /-dot\.svg$|-net-[^/]*\.svg$|-experiments-/.test(basename(drawing));
    await t.test('rsvg-convert', async (t) => {
      t.diagnostic(await checks.check_alike(browser, checks.draw_by_rsvg(drawing), reference, has_other_fonts));
    });
    await t.test('Inkscape', async (t) => {
      t.diagnostic(await checks.check_alike(browser, by_inkscape[k], reference, has_other_fonts));
    });
  });
}

// The check itself: a drawing whose colors are lost, as of variables, is not alike.
await test('a black drawing is found', async () => {
  const drawing = drawings.find((path) => path.endsWith('-gantt.svg'));
  const reference = await checks.draw_by_chromium(browser, drawing, 'light');
  const dark = await checks.draw_by_chromium(browser, drawing, 'dark');
  for (const has_other_fonts of [false, true]) {
    await assert.rejects(checks.check_alike(browser, dark, reference, has_other_fonts));
  }
});

// Dark by override: where the reader prefers dark, the page is dark in a browser.
await test('drawings of our own are dark in a browser where that is preferred', async () => {
  for (const drawing of drawings.filter((path) => /\/(video-strict-.*(gantt|start|curve)|costs)\.svg$/.test(path))) {
    const light = await checks.draw_by_chromium(browser, drawing, 'light');
    const dark = await checks.draw_by_chromium(browser, drawing, 'dark');
    const { mean } = await checks.difference(browser, dark, light);
    assert.ok(mean > 120, `${drawing}: ${mean}`);
  }
});

await browser.close();
