'use strict';
// Zoom and selection of the Gantt charts; without this script they are whole drawings that scale with the page.
for (const gantt of document.querySelectorAll('.gantt')) {
  const scroll = gantt.querySelector('.scroll');
  const svg = gantt.querySelector('.gbars');
  const section = gantt.parentElement;
  const hint = section.querySelector('.hint');
  const bars = [...svg.querySelectorAll('.b')];
  const marks = [...svg.querySelectorAll('.con,.mark')];
  const ticks = svg.querySelector('.ticks');
  const span = +svg.dataset.span, height = +svg.dataset.h, first = +svg.dataset.t0;
  const line = ticks.querySelector('line'), label = ticks.querySelector('text');
  const [top, bottom, above] = [line.getAttribute('y1'), line.getAttribute('y2'), label.getAttribute('y')];
  let zoom = 1;

  const step = least => {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map(k => k * power).find(s => s >= least);
  };
  // Time is stretched, texts are not.
  const draw = printing => {
    gantt.classList.toggle('live', !printing);
    const width = printing ? 1000 : Math.max(scroll.clientWidth, 820) * zoom;
    const scale = width / span;
    svg.style.width = printing ? '' : width + 'px';
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    for (const bar of bars) {
      const x = bar.dataset.s * scale, w = Math.max(bar.dataset.w * scale, 1);
      const rect = bar.querySelector('rect'), text = bar.querySelector('text');
      rect.setAttribute('x', x);
      rect.setAttribute('width', w);
      text.setAttribute('x', x + w / 2);
      if (w < 9 + 6.5 * text.textContent.length) text.setAttribute('display', 'none');
      else text.removeAttribute('display');
    }
    for (const mark of marks) mark.setAttribute('transform', `translate(${mark.dataset.t * scale})`);
    const every = step(span * 95 / width);
    let drawn = '';
    for (let t = Math.ceil(first / every) * every; t <= first + span; t += every)
      drawn += `<g transform="translate(${(t - first) * scale})"><line y1="${top}" y2="${bottom}"/><text y="${above}">${+t.toPrecision(9)}</text></g>`;
    ticks.innerHTML = drawn;
  };
  const zoomBy = factor => {
    const middle = (scroll.scrollLeft + scroll.clientWidth / 2) / svg.clientWidth;
    zoom = factor ? Math.min(64, Math.max(1, zoom * factor)) : 1;
    draw();
    scroll.scrollLeft = middle * svg.clientWidth - scroll.clientWidth / 2;
  };
  const numberOf = bar => bar.querySelector('text').textContent;
  const pick = bar => {
    gantt.classList.toggle('same', !!bar);
    for (const other of bars) other.classList.toggle('on', !!bar && numberOf(other) === numberOf(bar));
    if (hint) hint.textContent = bar ? bar.querySelector('title').textContent : '\u00a0';
  };

  for (const button of section.querySelectorAll('[data-z]')) button.onclick = () => zoomBy(+button.dataset.z);
  section.querySelector('[name=dim]')?.addEventListener('change', e => gantt.classList.toggle('dimmed', e.target.checked));
  scroll.addEventListener('wheel', e => {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    zoomBy(e.deltaY < 0 ? 1.25 : .8);
  }, {passive: false});
  scroll.addEventListener('keydown', e => {
    if (e.key === '+') zoomBy(1.5);
    if (e.key === '-') zoomBy(1 / 1.5);
    if (e.key === 'Escape') pick(null);
  });
  svg.addEventListener('click', e => {
    const bar = e.target.closest('.b');
    pick(bar && !bar.classList.contains('on') ? bar : null);
  });
  svg.addEventListener('mouseover', e => {
    const bar = e.target.closest('.b');
    if (bar && hint) hint.textContent = bar.querySelector('title').textContent;
  });
  draw();
  addEventListener('resize', () => matchMedia('print').matches || draw());
  addEventListener('beforeprint', () => { zoom = 1; pick(null); draw(true); });
  addEventListener('afterprint', () => draw());
}
for (const element of document.querySelectorAll('.js')) element.hidden = false;
