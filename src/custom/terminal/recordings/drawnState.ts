import type { IBuffer, IBufferCell, Terminal } from '@xterm/xterm'

/** Lines above the screen that are drawn again as well. */
const linesAbove = 200

/**
 * Output that draws on an empty screen of the same size what a screen shows now, with its cursor.
 * @param modes output that sets modes, region and colours as they are now; it may move the cursor
 */
export function drawnState({ buffer, rows }: Terminal, modes: string): string {
  const { normal, alternate, active } = buffer
  const first = Math.max(0, normal.baseY - linesAbove)
  const above = drawLines(normal, first, normal.baseY + rows)
  if (active.type === 'normal') return above + modes + cursorTo(normal)
  return `${above}${cursorTo(normal)}\x1b[?1049h\x1b[H${drawLines(alternate, 0, rows)}${modes}${cursorTo(alternate)}`
}

const cursorTo = ({ cursorX, cursorY }: IBuffer) => `\x1b[${cursorY + 1};${cursorX + 1}H`

function drawLines(buffer: IBuffer, from: number, to: number): string {
  const cell = buffer.getNullCell()
  // Joined at the end: a text that grows by characters takes twenty times its length.
  const parts: string[] = []
  let style = plain
  for (let y = from; y < to; y += 1) {
    const line = buffer.getLine(y)
    if (!line) continue
    if (y > from && !line.isWrapped) parts.push('\r\n')
    // What goes on in the next line fills this one.
    const isFull = buffer.getLine(y + 1)?.isWrapped === true && y + 1 < to
    let end = line.length
    while (!isFull && end > 0 && isEmpty(line.getCell(end - 1, cell))) end -= 1
    for (let x = 0; x < end; x += 1) {
      const drawn = line.getCell(x, cell)
      if (!drawn || drawn.getWidth() === 0) continue
      const next = styleOf(drawn)
      if (next !== style) parts.push(`\x1b[${next}m`)
      style = next
      parts.push(drawn.getChars() || ' ')
    }
  }
  if (style !== plain) parts.push(`\x1b[${plain}m`)
  return parts.join('')
}

const isEmpty = (cell: IBufferCell | undefined) =>
  cell === undefined || (cell.getChars() === '' && cell.getWidth() > 0 && styleOf(cell) === plain)

const plain = '0'

/** The numbers of the sequence that sets the style of a character. */
function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return plain
  const colour = (kind: 38 | 48, value: number, isRgb: boolean, isPalette: boolean) => {
    if (isRgb) return [`${kind};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`]
    return isPalette ? [`${kind};5;${value}`] : []
  }
  const flags = [
    [1, cell.isBold()],
    [2, cell.isDim()],
    [3, cell.isItalic()],
    [4, cell.isUnderline()],
    [5, cell.isBlink()],
    [7, cell.isInverse()],
    [8, cell.isInvisible()],
    [9, cell.isStrikethrough()],
    [53, cell.isOverline()],
  ]
  return [
    plain,
    ...flags.flatMap(([number, isSet]) => (isSet ? [number] : [])),
    ...colour(38, cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
    ...colour(48, cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
  ].join(';')
}
