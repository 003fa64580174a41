/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

interface StateLabelProps {
  kind: 'good' | 'degraded' | 'danger' | 'maintenance' | 'unknown'
  children: ComponentChildren
}

/** A state in words, with a dot whose shape differs too: not everybody tells the colours apart. */
export const StateLabel = ({ kind, children }: StateLabelProps) => <span class={`state ${kind}`}>{children}</span>
