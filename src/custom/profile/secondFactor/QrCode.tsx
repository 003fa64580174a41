import { generate } from 'lean-qr'
import { useMemo } from 'react'

/** Modules of white around a code, without which cameras do not find it. */
const margin = 4
const pixels = 200

/** A QR code, drawn here: the text goes nowhere else. Dark on white in either theme, as cameras expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  const side = size + 2 * margin
  return (
    <svg width={pixels} height={pixels} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" role="img">
      <title>{label}</title>
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** One path for all dark modules. */
function draw(text: string): { size: number; path: string } {
  const code = generate(text)
  const modules: string[] = []
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) modules.push(`M${x + margin} ${y + margin}h1v1h-1z`)
    }
  }
  return { size: code.size, path: modules.join('') }
}
