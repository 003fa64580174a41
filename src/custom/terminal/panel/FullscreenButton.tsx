import ExitIcon from '@mui/icons-material/FullscreenExitOutlined'
import EnterIcon from '@mui/icons-material/FullscreenOutlined'
import { useEffect, useState } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { ToolbarButton } from './ToolbarButton.tsx'

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
