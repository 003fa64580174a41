import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import type { ReactNode } from 'react'

/** Something that can be done around the terminals: a button of the bar, or on phones an entry of its menu. */
export interface Tool {
  name: string
  icon: ReactNode
  /** For what is switched on and off. */
  isOn?: boolean
  isOff?: boolean
  onUse: () => void
}

interface ToolbarButtonProps extends Pick<Tool, 'name' | 'isOn' | 'isOff'> {
  onClick: () => void
  children: ReactNode
}

/** One button of the bar. */
export function ToolbarButton({ name, isOn, isOff, onClick, children }: ToolbarButtonProps) {
  return (
    <Tooltip title={name}>
      {/* A button that is off shows no tooltip by itself. */}
      <span>
        <IconButton
          aria-label={name}
          aria-pressed={isOn}
          disabled={isOff}
          color={isOn ? 'primary' : 'inherit'}
          onClick={onClick}
        >
          {children}
        </IconButton>
      </span>
    </Tooltip>
  )
}
