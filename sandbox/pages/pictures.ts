import { createRandom, seedOf } from '../random.ts';

/** A quiet landscape that is always the same for a name, so that demonstration cards need no external files. */
export function pictureOf(name: string): string {
  const random = createRandom(seedOf(name));
  const hue = Math.floor(random() * 360);
  const sun = { x: 120 + random() * 400, y: 70 + random() * 70, r: 26 + random() * 26 };
  const hills = [0, 1, 2].map((layer) => {
    const base = 190 + layer * 45;
    const points = Array.from({ length: 9 }, (_, step) => `${step * 80},${Math.round(base - random() * 60)}`);
    const lightness = 62 - layer * 14;
    return `<path d="M0,320 L${smooth(points)} L640,320 Z" fill="hsl(${hue + 20 + layer * 12} 45% ${lightness}%)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" role="img" aria-label="illustration">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue} 70% 82%)"/>
<stop offset="1" stop-color="hsl(${hue + 40} 80% 93%)"/></linearGradient></defs>
<rect width="640" height="320" fill="url(#sky)"/>
<circle cx="${sun.x.toFixed(0)}" cy="${sun.y.toFixed(0)}" r="${sun.r.toFixed(0)}" fill="hsl(${hue + 200} 90% 96%)"/>
${hills.join('\n')}</svg>`;
}

function smooth(points: string[]): string {
  const [first = '0,200', ...rest] = points;
  let text = first;
  let [lastX = 0, lastY = 0] = first.split(',').map(Number);
  for (const point of rest) {
    const [x = 0, y = 0] = point.split(',').map(Number);
    const middle = (lastX + x) / 2;
    text += ` C${middle},${lastY} ${middle},${y} ${x},${y}`;
    [lastX, lastY] = [x, y];
  }
  return text;
}
