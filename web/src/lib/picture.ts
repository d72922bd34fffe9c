// A picture of the table to keep or to send: everything drawn on it, with its styles, on one canvas.

/** What decides how a drawing looks; a copy outside the page knows no style sheet. */
const STYLES = [
  'fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'stroke-opacity', 'opacity',
  'font-family', 'font-size', 'font-weight', 'letter-spacing', 'text-anchor', 'dominant-baseline', 'text-transform', 'visibility', 'display', 'transform',
  'transform-origin', 'transform-box', 'paint-order', 'vector-effect', 'filter', 'mix-blend-mode', 'color', 'translate', 'rotate', 'scale'
]

/** A copy of a drawing that looks the same by itself. */
function standalone(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')]
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')]
  originals.forEach((one, n) => {
    const look = getComputedStyle(one)
    for (const name of STYLES) copies[n]!.style.setProperty(name, look.getPropertyValue(name))
  })
  // The page's fonts are not at hand outside it: what stands in for them takes the same room.
  originals.forEach((one, n) => {
    const long = one instanceof SVGTextElement && one.children.length === 0 ? one.getComputedTextLength() : 0
    if (!long) return
    copies[n]!.setAttribute('textLength', String(long))
    copies[n]!.setAttribute('lengthAdjust', 'spacingAndGlyphs')
  })
  if (!svg.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${svg.clientWidth} ${svg.clientHeight}`)
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.style.transform = 'none'
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return new XMLSerializer().serializeToString(copy)
}

async function imageOf(source: string): Promise<HTMLImageElement> {
  const image = new Image()
  const url = URL.createObjectURL(new Blob([source], { type: 'image/svg+xml' }))
  try {
    image.src = url
    await image.decode()
  } finally {
    URL.revokeObjectURL(url)
  }
  return image
}

/** The drawings inside an element, as a PNG; twice as fine as the screen's own pixels. */
export async function pictureOf(root: Element, paper: string, fine = 2): Promise<Blob> {
  const box = root.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(box.width * fine)
  canvas.height = Math.round(box.height * fine)
  const pen = canvas.getContext('2d')!
  pen.fillStyle = paper
  pen.fillRect(0, 0, canvas.width, canvas.height)
  for (const part of root.querySelectorAll<HTMLCanvasElement | SVGSVGElement>('canvas, svg')) {
    if (part.parentElement?.closest('svg, button')) continue
    const at = part.getBoundingClientRect()
    if (!at.width || !at.height) continue
    const drawing = part instanceof HTMLCanvasElement ? part : await imageOf(standalone(part, at.width * fine, at.height * fine))
    pen.drawImage(drawing, (at.left - box.left) * fine, (at.top - box.top) * fine, at.width * fine, at.height * fine)
  }
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('The picture could not be made.'))), 'image/png'))
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
