import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import type { ReactNode } from 'react'

interface ToolbarButtonProps {
  name: string
  /** For buttons that switch something on and off. */
  isOn?: boolean
  isOff?: boolean
  onClick: (event: React.MouseEvent<HTMLElement>) => void
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
