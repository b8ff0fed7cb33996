// Reports and drawings of takt in a browser: of all examples under both models, of hostile names and of a large net.
// Usage: node browser_test.mjs TAKT ROOT [K N]   the program, and the source tree; of N shares of the tests that with the
// number K, 0 for the first (default: all); writes into the current folder.
// TAKT_CHROMIUM names the browser, /usr/bin/chromium unless said.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import every_test from 'node:test';

import { chromium } from 'playwright-core';

import * as checks from './page_checks.mjs';

const [takt, root] = process.argv.slice(2, 4).map((path) => resolve(path));
assert.ok(takt && root, 'usage: node browser_test.mjs TAKT ROOT [K N]');
const [share, shares] = process.argv.length > 4 ? process.argv.slice(4).map(Number) : [0, 1];
const folder = resolve(`pages-${share}`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const models = ['overlap', 'strict'];
const browser = await chromium.launch({
  executablePath: process.env.TAKT_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'], // root has none
});

let count = 0;
function test(name, run) {
  return count++ % shares === share ? every_test(name, run) : undefined;
}

// Runs takt; a limit that was met is an answer too.
function run(...words) {
  try {
    return execFileSync(takt, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error.status === 4) return error.stdout;
    throw new Error(`takt ${words.join(' ')}: status ${error.status}: ${error.stderr}`);
  }
}

function written(name, document) {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

// Example A with names that would do something, were they not escaped.
function hostile_instance() {
  const names = {
    S0: '</title></script><img src=x onerror=alert(1)>',
    S1: '"><svg onload=alert(2)>',
    P0: "'--><script>alert(3)</script>",
    P1: '{{name}} {{{name}}} &lt;b&gt; &amp;',
    P2: '\u202e\u0007]]>',
    P6: 'https://example.invalid/x.png',
  };
  const text = readFileSync(join(root, 'examples/example-a.json'), 'utf8');
  const renamed = JSON.parse(text, (key, value) => names[value] ?? value);
  return written('hostile.json', renamed);
}

// 50 parts on 1000 processors: far more rows, bars and resources than a page holds.
function large_instance() {
  const parts = Array.from({ length: 50 }, (_, part) => {
    const processors = Array.from({ length: 20 - (part % 3) + ((part * 7) % 5) }, (_, k) => `P${part}-${k}`);
    return { stages: [`S${part}`], processors };
  });
  const stages = parts.map((_, part) => (
    { name: `S${part}`, work: 100 + ((part * 37) % 61), output: 10 + (part % 7) }));
  const processors = parts.flatMap(({ processors }, part) =>
    processors.map((name, k) => ({ name, speed: 10 + ((part + 3 * k) % 5) })));
  return written('large.json', { application: { stages }, platform: { processors, bandwidth: 20 }, mapping: parts });
}

// A plan, whose report shows it among others.
function planned_instance() {
  const path = join(folder, 'planned.json');
  run('plan', join(root, 'examples/catalogue.json'), '--rate', '200/s', '--survive', '1', '-o', path);
  return path;
}

// Those that have a mapping.
const examples = readdirSync(join(root, 'examples'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => join(root, 'examples', name))
  .filter((file) => 'mapping' in JSON.parse(readFileSync(file, 'utf8')));

// A page's name and the checks beside those of all pages.
const subjects = [
  ...examples.map((file) => ({ file, more: ['charts', 'downloads'] })),
  { file: hostile_instance(), more: ['charts', 'downloads', 'names'] },
  { file: large_instance(), more: ['downloads'] },
  { file: planned_instance(), more: ['charts', 'downloads'] },
];

for (const { file, more } of subjects) {
  for (const model of models) {
    const name = `${basename(file, '.json')}-${model}`;
    const page = join(folder, `${name}.html`);
    await test(`report of ${name}`, async (t) => {
      run('report', file, '--model', model, '--time-limit', '60', '-o', page);
      await t.test('size', () => checks.check_size(page));
      await t.test('markup', () => checks.check_markup(page));
      await t.test('layout', () => checks.check_layout(browser, page));
      await t.test('print', () => checks.check_print(browser, page));
      await t.test('without script', () => checks.check_without_script(browser, page));
      await t.test('access', () => checks.check_access(browser, page));
      if (more.includes('charts')) await t.test('charts', () => checks.check_charts(browser, page));
      if (more.includes('downloads')) {
        await t.test('downloads', () => checks.check_downloads(browser, page, file, takt, folder));
      }
      if (more.includes('names')) await t.test('names', () => checks.check_names(browser, page, file));
    });
  }
}

// What counts most for the period.
function parameter_of(file, model) {
  return JSON.parse(run('sensitivity', file, '--model', model, '--json')).parameters[0].pointer;
}

async function check_drawing_of(name, ...words) {
  const drawing = join(folder, `${name}.svg`);
  run(...words, '-o', drawing);
  await checks.check_drawing(browser, drawing);
}

await test('drawing of what every rate costs', () => {
  const drawing = join(folder, 'costs.svg');
  run('plan', join(root, 'examples/catalogue.json'), '--rate', '200/s', '--up-to', '450/s', '--plot', drawing);
  return checks.check_drawing(browser, drawing);
});

const drawings = [
  ['dot', '--collapse'],
  ['gantt'],
  ['gantt', '--schedule', 'start-up', '--color', 'stage'],
  ['simulate'],
];
for (const file of [...examples, join(folder, 'hostile.json')]) {
  for (const model of models) {
    for (const [command, ...options] of drawings) {
      const name = [basename(file, '.json'), model, command, ...options].join('-').replaceAll('--', '');
      await test(`drawing ${name}`, () => check_drawing_of(name, command, file, '--model', model, ...options));
    }
    const name = `${basename(file, '.json')}-${model}-curve`;
    await test(`drawing ${name}`, () => {
      const parameter = parameter_of(file, model);
      return check_drawing_of(name, 'sensitivity', file, '--model', model, '--curve', '--parameter', parameter);
    });
  }
}

await browser.close();
