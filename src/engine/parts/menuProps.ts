import type { ReactNode } from 'react'

/** One entry of a menu. */
export interface MenuOption {
  key: string
  label: string
  icon?: ReactNode
  /** The key that does the same, at the end of the line. */
  keyName?: string
  /** In a menu of choices: whether this is the current one. */
  checked?: boolean
  /** Of one that switches something: whether that is on. */
  isOn?: boolean
  /** Language of the label, when it is not the page's own. */
  lang?: string
  /** Whether it is drawn as one that destroys. */
  isDangerous?: boolean
  onSelect: () => void
}

export interface MenuProps {
  id?: string
  /** Name of the menu, for screen readers. */
  label?: string
  /** The button that it opens at; none while it is closed. */
  anchor: HTMLElement | undefined
  /** The edge of the button that it keeps to. Default: the left one. */
  side?: 'left' | 'right'
  options: readonly MenuOption[]
  onClose: () => void
}
