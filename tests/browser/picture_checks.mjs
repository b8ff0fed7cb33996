// Drawings outside a browser: rsvg-convert and Inkscape draw the pixels that Chromium does, but for the edges of letters.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// Means over squares of so many pixels are compared: each program sets letters a little differently.
const square = 4;
// Of 255, in a channel: the mean over all squares, and the share of squares that differ by much. Of fonts that Graphviz
// and gnuplot name, each program takes another, so letters differ; a drawing without its colors has a mean above 100.
const limits_of_ours = { mean: 1, share: 0.001 };
const limits_of_other_fonts = { mean: 9, share: 0.03 };
const much = 96;

function done(program, words) {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8', timeout: 120_000 });
  assert.equal(error, undefined);
  assert.equal(status, 0, `${program}: ${stderr}`);
}

export function draw_by_rsvg(file) {
  const picture = `${file}.rsvg.png`;
  done('rsvg-convert', ['--background-color=white', '-o', picture, file]);
  return picture;
}

// One start for all files.
export function draw_by_inkscape(files) {
  done('inkscape', ['--export-type=png', '--export-background=white', '--export-background-opacity=1', ...files]);
  return files.map((file) => file.replace(/\.svg$/, '.png'));
}

export async function draw_by_chromium(browser, file, colorScheme) {
  const context = await browser.newContext({ colorScheme, viewport: { width: 800, height: 600 } });
  try {
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    const size = await page.evaluate(() => {
      const { width, height } = document.documentElement.getBoundingClientRect();
      return { width: Math.ceil(width), height: Math.ceil(height) };
    });
    await page.setViewportSize(size);
    const picture = `${file}.${colorScheme}.png`;
    await page.screenshot({ path: picture });
    return picture;
  } finally {
    await context.close();
  }
}

// How two pictures differ, as Chromium reads them; the larger counts where their sizes differ by a pixel.
export async function difference(browser, one, other) {
  const page = await browser.newPage();
  try {
    const urls = [one, other].map((file) => `data:image/png;base64,${readFileSync(file, 'base64')}`);
    return await page.evaluate(async ([urls, square, much]) => {
      const images = await Promise.all(urls.map(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        return image;
      }));
      const width = Math.max(...images.map((image) => image.width));
      const height = Math.max(...images.map((image) => image.height));
      const pixels = images.map((image) => {
        const canvas = new OffscreenCanvas(width, height).getContext('2d');
        canvas.fillStyle = '#fff';
        canvas.fillRect(0, 0, width, height);
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, width, height).data;
      });
      let sum = 0;
      let far = 0;
      let squares = 0;
      for (let top = 0; top + square <= height; top += square) {
        for (let left = 0; left + square <= width; left += square) {
          const means = pixels.map((data) => {
            const channels = [0, 0, 0];
            for (let y = top; y < top + square; ++y) {
              for (let x = left; x < left + square; ++x) {
                for (let c = 0; c < 3; ++c) channels[c] += data[4 * (y * width + x) + c];
              }
            }
            return channels.map((channel) => channel / square ** 2);
          });
          const apart = Math.max(...means[0].map((channel, c) => Math.abs(channel - means[1][c])));
          sum += apart;
          far += apart > much ? 1 : 0;
          ++squares;
        }
      }
      const sizes = images.map((image) => [image.width, image.height]);
      return { mean: sum / squares, share: far / squares, sizes };
    }, [urls, square, much]);
  } finally {
    await page.close();
  }
}

export async function check_alike(browser, drawn, reference, has_other_fonts) {
  const limits = has_other_fonts ? limits_of_other_fonts : limits_of_ours;
  const { mean, share, sizes } = await difference(browser, drawn, reference);
  const told = `${drawn}: mean ${mean.toFixed(2)}, ${(100 * share).toFixed(2)} % of squares, sizes ${sizes.join(' / ')}`;
  assert.ok(sizes[0].every((length, k) => Math.abs(length - sizes[1][k]) <= 1), told);
  assert.ok(mean <= limits.mean && share <= limits.share, told);
  return told;
}
