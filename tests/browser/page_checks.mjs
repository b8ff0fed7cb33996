// What every page of takt is held to, in a browser and by a validator; `Page` below is playwright's.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { HtmlValidate } from 'html-validate';

const axe_source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const axe_tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

const desktop = { width: 1200, height: 900 };
const phone = { width: 390, height: 844 };
// A4 within margins of 14 mm, at 96 pixels to the inch.
const paper = { width: 688, height: 1016 };
const most_bytes = 200_000;

// A reporter need not show what a failed comparison compared.
function expect_none(found, where) {
  assert.equal(found.length, 0, `${where}:\n  ${found.join('\n  ')}`);
}

// Opens a file as `options` of a browser context ask for and hands the page to `look`. The file is the only request,
// and nothing is written to the console, until `look` is done.
async function with_page(browser, file, options, look) {
  const context = await browser.newContext({ viewport: desktop, acceptDownloads: true, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const requests = [];
  const troubles = [];
  page.on('request', (request) => request.url().startsWith('data:') || requests.push(request.url()));
  page.on('requestfailed', (request) => troubles.push(`request failed: ${request.url().slice(0, 200)}`));
  page.on('console', (message) => troubles.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  try {
    const url = pathToFileURL(file).href;
    await page.goto(url, { waitUntil: 'load' });
    await look(page);
    expect_none(troubles, 'console, errors and dialogs');
    expect_none(requests.slice(1), 'requests beside the file');
    assert.equal(requests[0], url);
  } finally {
    await context.close();
  }
}

// What is wider than the page, as "tag.class: pixels beyond"; with `scrolling`, also what is wider than its own box.
function overflows(page, scrolling) {
  return page.evaluate((scrolling) => {
    const name = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
    const root = document.documentElement;
    const found = [];
    if (root.scrollWidth > root.clientWidth) found.push(`page: ${root.scrollWidth - root.clientWidth}`);
    if (!scrolling) return found;
    for (const element of document.body.querySelectorAll('*')) {
      const style = getComputedStyle(element);
      const scrolls = ['auto', 'scroll', 'hidden', 'clip'].includes(style.overflowX) && style.display !== 'inline';
      const beyond = element.scrollWidth - element.clientWidth;
      // A cell of a bar may cut its own label; what is cut of a drawing or a table is lost on paper.
      if (scrolls && beyond > 1 && element.querySelector('svg, table')) found.push(`${name(element)}: ${beyond}`);
    }
    return found;
  }, scrolling);
}

// Texts that lie on one another, as "this / that"; a few pixels are what fonts differ in.
function collisions(page) {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    const boxes = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const parent = text.parentElement;
      const is_shown = !parent.closest('head, script, style, title, desc') && parent.checkVisibility();
      if (text.data.trim() === '' || !is_shown) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        // What a scrolling box or a narrow one hides lies on nothing.
        const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const is_seen = shown === null || shown === parent || parent.contains(shown) || shown.contains(parent) ||
          shown.closest('svg') === parent.closest('svg');
        if (right - left > 3 && is_seen) boxes.push({ text, left, right, top, bottom });
      }
    }
    const found = [];
    for (const [k, a] of boxes.entries()) {
      for (const b of boxes.slice(k + 1)) {
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (a.text === b.text || width <= 3 || height <= 5) continue;
        found.push([a, b].map(({ text }) => text.data.trim().slice(0, 40)).join(' / '));
      }
    }
    return found;
  });
}

// The controls that can be seen and used.
function controls(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.outerHTML));
}

// What there is to read and to see: the texts outside scripts and controls, and how many shapes have an extent.
function content(page) {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    const controls = 'script, style, button, label, select, .hint, .tools';
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode;
      const is_text = data.trim() !== '' && !parent.closest(controls) && !parent.closest('svg');
      if (is_text && parent.checkVisibility()) texts.push(data.trim());
    }
    const bars = [...document.querySelectorAll('svg rect')].filter((bar) => bar.getBoundingClientRect().width > 0);
    return { texts, bars: bars.length };
  });
}

export async function check_layout(browser, file) {
  for (const viewport of [desktop, phone]) {
    for (const javaScriptEnabled of [true, false]) {
      await with_page(browser, file, { viewport, javaScriptEnabled }, async (page) => {
        expect_none(await overflows(page, false), `too wide at ${viewport.width} pixels, script: ${javaScriptEnabled}`);
        // As tall as the page, so that all of it can be seen.
        await page.setViewportSize({ width: viewport.width, height: 12_000 });
        expect_none(await collisions(page), `texts on one another at ${viewport.width} pixels`);
      });
    }
  }
}

// On paper nothing scrolls, so nothing may be wider than its box; what was zoomed is whole again, and dark is light.
export async function check_print(browser, file) {
  await with_page(browser, file, { colorScheme: 'dark' }, async (page) => {
    const zoom_in = page.getByRole('button', { name: 'zoom in' }).first();
    if ((await zoom_in.count()) > 0) await zoom_in.click();
    await page.setViewportSize(paper);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect_none(await overflows(page, true), 'too wide on paper');
    expect_none(await controls(page), 'controls on paper');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  });
}

export async function check_without_script(browser, file) {
  let scripted;
  await with_page(browser, file, {}, async (page) => {
    scripted = await content(page);
  });
  await with_page(browser, file, { javaScriptEnabled: false }, async (page) => {
    expect_none(await controls(page), 'controls without script');
    const plain = await content(page);
    assert.ok(plain.texts.length > 20, 'there is something to read');
    expect_none(scripted.texts.filter((text) => !plain.texts.includes(text)), 'texts that need a script');
    assert.equal(plain.bars, scripted.bars);
  });
}

// The charts that zoom: time stretches, letters do not; a click follows a data set, Escape lets it go.
export async function check_charts(browser, file) {
  await with_page(browser, file, {}, async (page) => {
    const charts = page.locator('.gantt');
    assert.ok((await charts.count()) > 0, 'there is a chart');
    for (const chart of await charts.all()) {
      const drawing = chart.locator('.gbars');
      const region = chart.locator('.scroll');
      const section = chart.locator('xpath=ancestor::section[1]');
      const width = async () => (await drawing.boundingBox()).width;
      const letters = () => drawing.locator('text').first().evaluate((text) => text.getBoundingClientRect().height);
      const at_first = { width: await width(), letters: await letters() };
      await section.getByRole('button', { name: 'zoom in' }).click();
      assert.ok((await width()) > 1.3 * at_first.width, 'zooming in widens');
      assert.ok(Math.abs((await letters()) - at_first.letters) < 0.5, 'letters keep their size');
      assert.ok(await region.evaluate((element) => element.scrollWidth > element.clientWidth), 'it scrolls');
      expect_none(await overflows(page, false), 'too wide, zoomed');
      await section.getByRole('button', { name: 'zoom out' }).click();
      assert.ok(Math.abs((await width()) - at_first.width) < 2, 'zooming out goes back');
      await region.focus();
      await page.keyboard.press('+');
      assert.ok((await width()) > 1.3 * at_first.width, 'the key + widens');
      await section.getByRole('button', { name: 'Fit' }).click();
      assert.ok(Math.abs((await width()) - at_first.width) < 2, 'Fit goes back');
      await check_selection(page, drawing, region);
    }
  });
}

async function check_selection(page, drawing, region) {
  const selected = () => drawing.locator('.b.on').count();
  const bars = await drawing.locator('.b').count();
  assert.equal(await selected(), 0);
  await drawing.locator('.b rect').first().click();
  const followed = await selected();
  assert.ok(followed > 0 && followed <= bars, 'a click selects');
  await region.focus();
  await page.keyboard.press('Escape');
  assert.equal(await selected(), 0, 'Escape lets go');
}

// The downloads of the page are its instance, as it was, and a certificate that takt accepts for it; where one is missing
// the page says that it is too large.
export async function check_downloads(browser, file, instance, takt, folder) {
  await with_page(browser, file, {}, async (page) => {
    const saved = {};
    for (const link of await page.locator('a[download]').all()) {
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      const path = join(folder, `${basename(file)}.${Object.keys(saved).length}`);
      await download.saveAs(path);
      saved['mapping' in JSON.parse(readFileSync(path, 'utf8')) ? 'instance' : 'certificate'] = path;
    }
    const words = await page.locator('main').innerText();
    for (const what of ['instance', 'certificate']) {
      if (!saved[what]) assert.match(words, new RegExp(`The ${what} has [0-9,]+ bytes, too many for this page`));
    }
    if (saved.instance) assert.equal(readFileSync(saved.instance, 'utf8'), readFileSync(instance, 'utf8'));
    if (!saved.certificate) return;
    const answer = execFileSync(takt, ['check', instance, saved.certificate], { encoding: 'utf8' });
    assert.match(answer, /^Proved/);
  });
}

export async function check_access(browser, file) {
  for (const colorScheme of ['light', 'dark']) {
    for (const viewport of [desktop, phone]) {
      await with_page(browser, file, { viewport, colorScheme }, async (page) => {
        await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
        await page.evaluate(axe_source);
        const { violations, passes } = await page.evaluate(
          (values) => axe.run(document, { runOnly: { type: 'tag', values } }), axe_tags);
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
        expect_none(told, `${colorScheme}, ${viewport.width} pixels`);
        assert.ok(passes.length > 10, 'the rules were applied');
      });
    }
  }
}

// Names of the instance are text, whatever they hold: no element, no request and no deed comes of them.
export async function check_names(browser, file, instance) {
  const { application, platform } = JSON.parse(readFileSync(instance, 'utf8'));
  await with_page(browser, file, {}, async (page) => {
    const found = await page.evaluate(() => ({
      elements: document.querySelectorAll('img, iframe, object, embed, title ~ title, [onload], [onerror]').length,
      scripts: document.scripts.length,
      text: document.documentElement.textContent,
    }));
    assert.equal(found.elements, 0);
    assert.equal(found.scripts, 1);
    for (const { name } of [...application.stages, ...platform.processors]) {
      // Long names are cut, and what acts on a terminal is shown as an escape.
      const start = name.slice(0, 12).replace(/[\u0000-\u001f\u202e].*/, '');
      assert.ok(found.text.includes(start), `${name} is shown`);
    }
  });
}

export async function check_markup(file) {
  const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended'],
    rules: { 'no-inline-style': 'off', 'long-title': 'off' },
  });
  const report = await validator.validateFile(file);
  const told = report.results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column}: ${ruleId}: ${message}`));
  expect_none(told, basename(file));
}

export function check_size(file) {
  assert.ok(readFileSync(file).length <= most_bytes, `at most ${most_bytes} bytes`);
}

// A drawing is well-formed, and shows itself without a request, a script or a word on the console.
export async function check_drawing(browser, file) {
  const lint = spawnSync('xmllint', ['--noout', '--nonet', file], { encoding: 'utf8' });
  assert.equal(lint.error, undefined);
  assert.equal(lint.stderr, '');
  assert.equal(lint.status, 0);
  for (const colorScheme of ['light', 'dark']) {
    await with_page(browser, file, { colorScheme }, async (page) => {
      const root = await page.evaluate(() => {
        const { width, height } = document.documentElement.getBoundingClientRect();
        return { name: document.documentElement.tagName, width, height, scripts: document.scripts?.length ?? 0 };
      });
      const cut = await page.evaluate(() => {
        const page = document.documentElement.getBoundingClientRect();
        return [...document.querySelectorAll('text')]
          .filter((text) => {
            const { left, right, top, bottom, width } = text.getBoundingClientRect();
            const is_beside = left < page.left - 1 || right > page.right + 1;
            const is_above = top < page.top - 1 || bottom > page.bottom + 1;
            return width > 0 && (is_beside || is_above);
          })
          .map((text) => text.textContent);
      });
      expect_none(cut, 'texts cut at the edge');
      assert.equal(root.name, 'svg');
      assert.ok(root.width > 0 && root.height > 0, 'it has an extent');
      assert.equal(root.scripts, 0);
    });
  }
}
