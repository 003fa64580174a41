import ExitIcon from '@mui/icons-material/FullscreenExitOutlined'
import EnterIcon from '@mui/icons-material/FullscreenOutlined'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { type ReactNode, useEffect, useState } from 'react'
import { useEvent, useTranslate } from 'react-admin'

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

/** Where browsers have it: keys that would act on the window go to the page. */
interface KeyboardLock {
  keyboard?: { lock?(keys: string[]): Promise<void> }
}

/** Fills the screen, and gives it back. Where the browser can, Escape then goes to the shell: held down, it leaves. */
export function FullscreenButton({ onChange }: { onChange: () => void }) {
  const translate = useTranslate()
  const [isFull, setFull] = useState(false)
  const changed = useEvent(onChange)
  useEffect(() => {
    const update = () => {
      setFull(document.fullscreenElement !== null)
      changed()
    }
    document.addEventListener('fullscreenchange', update)
    return () => document.removeEventListener('fullscreenchange', update)
  }, [changed])
  if (!document.fullscreenEnabled) return null

  const toggle = async () => {
    if (document.fullscreenElement) return document.exitFullscreen()
    await document.documentElement.requestFullscreen()
    await (navigator as KeyboardLock).keyboard?.lock?.(['Escape'])
  }
  return (
    <ToolbarButton
      name={translate(`app.terminal.${isFull ? 'leave_fullscreen' : 'fullscreen'}`)}
      isOn={isFull}
      // When the browser refuses, the page stays as it was: no message is needed.
      onClick={() => void toggle().catch((cause) => console.warn(cause))}
    >
      {isFull ? <ExitIcon fontSize="small" /> : <EnterIcon fontSize="small" />}
    </ToolbarButton>
  )
}
