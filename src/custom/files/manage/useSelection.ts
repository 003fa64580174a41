import { useState } from 'react'
import type { Entry, RawPath } from '../transfer/remotePath.ts'

/** What is selected in one folder. */
export interface Selection {
  isEmpty: boolean
  has(raw: RawPath): boolean
  /** Those of the entries that are selected. */
  of(entries: readonly Entry[]): readonly Entry[]
  toggle(raw: RawPath): void
  /** Selects from the last one that was toggled or activated to this one. */
  extendTo(raw: RawPath, entries: readonly Entry[], from: RawPath | undefined): void
  set(entries: readonly Entry[]): void
  /** Selects nothing, unless something else was selected after the drawing that this function comes from. */
  clear(): void
}

const nothing: ReadonlySet<RawPath> = new Set()

/** @param folder another one begins with nothing selected */
export function useSelection(folder: RawPath | undefined): Selection {
  const [state, setState] = useState({ folder, selected: nothing, anchor: undefined as RawPath | undefined })
  const { selected, anchor } = state.folder === folder ? state : { selected: nothing, anchor: undefined }
  const select = (chosen: Iterable<RawPath>, from?: RawPath) =>
    setState({ folder, selected: new Set(chosen), anchor: from })
  return {
    isEmpty: selected.size === 0,
    has: (raw) => selected.has(raw),
    of: (entries) => entries.filter(({ raw }) => selected.has(raw)),
    toggle: (raw) => select(selected.has(raw) ? [...selected].filter((one) => one !== raw) : [...selected, raw], raw),
    extendTo: (raw, entries, from) => {
      const start = anchor ?? from ?? raw
      const places = [start, raw].map((one) => entries.findIndex((entry) => entry.raw === one))
      const [first, last] = [Math.max(0, Math.min(...places)), Math.max(...places)]
      select(
        entries.slice(first, last + 1).map((entry) => entry.raw),
        start,
      )
    },
    set: (entries) => select(entries.map(({ raw }) => raw)),
    // An act that takes its time clears what it was for, and not what was chosen meanwhile.
    clear: () => setState((now) => (now === state ? { folder, selected: nothing, anchor: undefined } : now)),
  }
}
