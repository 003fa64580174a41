/** Colours and styles that are remembered since the last reset of them. */
const maxStyles = 32
/** Modes that are remembered. */
const maxModes = 64

/** Modes that save and restore a screen: on and off again must be left out together, not reduced to the last one. */
const alternateScreens = ['?47', '?1047', '?1049']

/**
 * What skipped output has set: modes, the scrolling region, the character set. Without it, the output that follows
 * would be drawn on the wrong screen. Also the colours of all output: the notice about skipped bytes resets them.
 */
export class SkippedModes {
  #reset = ''
  #region = ''
  #charset = ''
  #keypad = ''
  #styles: string[] = []
  readonly #modes = new Map<string, { first: string; last: string }>()

  /** @param sequence what follows ESC in a complete sequence of skipped output */
  add(sequence: string): void {
    this.addShown(sequence)
    if (isReset(sequence)) {
      this.clear()
      this.#reset = sequence
    } else if (/^\[\??[\d;]*[hl]$/.test(sequence)) this.#addModes(sequence)
    else if (/^\[[\d;]*r$/.test(sequence)) this.#region = sequence
    else if (/^[()][0-9A-Z]$/.test(sequence)) this.#charset = sequence
    else if (/^[=>]$/.test(sequence)) this.#keypad = sequence
  }

  /** @param sequence what follows ESC in a complete sequence of output that is shown */
  addShown(sequence: string): void {
    if (isReset(sequence)) this.#styles = []
    else if (/^\[[\d;:]*m$/.test(sequence)) this.#addStyle(sequence)
  }

  /** The sequences that set all of it again. */
  text(): string {
    const modes = [...this.#modes].flatMap(([mode, { first, last }]) =>
      alternateScreens.includes(mode) && first !== last ? [] : [`[${mode}${last}`],
    )
    const sequences = [this.#reset, ...modes, this.#region, this.#charset, this.#keypad, ...this.#styles]
    return sequences.flatMap((sequence) => (sequence ? [`\x1b${sequence}`] : [])).join('')
  }

  /** Forgets all but the colours. */
  clear(): void {
    this.#reset = ''
    this.#region = ''
    this.#charset = ''
    this.#keypad = ''
    this.#modes.clear()
  }

  #addModes(sequence: string): void {
    const last = sequence.slice(-1)
    const mark = sequence.startsWith('[?') ? '?' : ''
    for (const number of sequence.slice(1 + mark.length, -1).split(';')) {
      const mode = `${mark}${number}`
      const first = this.#modes.get(mode)?.first ?? last
      if (this.#modes.size < maxModes || this.#modes.has(mode)) this.#modes.set(mode, { first, last })
    }
  }

  #addStyle(sequence: string): void {
    if (/^\[0*[;m]/.test(sequence)) this.#styles = []
    this.#styles.push(sequence)
    if (this.#styles.length > maxStyles) this.#styles.shift()
  }
}

/** RIS and DECSTR. */
const isReset = (sequence: string) => sequence === 'c' || sequence === '[!p'
