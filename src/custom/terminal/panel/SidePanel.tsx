import Drawer from '@mui/material/Drawer'
import { styled, useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type KeyboardEvent, type PointerEvent, Suspense, useEffect, useState } from 'react'
import { useStore, useTranslate } from 'react-admin'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { whenIdle } from '../../../events/whenIdle.ts'
import { prepareFileWorker } from '../../files/transfer/fileSession.ts'
import { useOpenedFiles } from '../../files/useFileSession.ts'
import { type Pane, paneName } from '../panes/paneStore.ts'
import { filesId } from '../panes/useTerminalWorkspace.ts'

const FilePanel = lazyPart(() => import('../../files/FilePanel.tsx'))

/** Fetches the file manager and starts its worker while the page has nothing to do, so that it opens at once later. */
export function useFilePanelInAdvance(): void {
  useEffect(() => {
    let isLeft = false
    let endWorker = () => {}
    const prepare = async () => {
      await FilePanel.prepare()
      if (!isLeft) endWorker = prepareFileWorker()
    }
    const cancel = whenIdle(() => void prepare())
    return () => {
      isLeft = true
      cancel()
      endWorker()
    }
  }, [])
}

const widths = { initial: 380, min: 280, max: 900, step: 20 }
const clampWidth = (width: number) => Math.round(Math.min(widths.max, Math.max(widths.min, width)))

/** The file manager beside a terminal; in narrow windows a drawer. */
export function SidePanel({ pane: { serverId, ...pane }, onClose }: { pane: Pane; onClose: () => void }) {
  const translate = useTranslate()
  const theme = useTheme()
  const isNarrowNow = useMediaQuery(theme.breakpoints.down('md'), { noSsr: true })
  const [isNarrow, setNarrow] = useState(isNarrowNow)
  const [isKept, setKept] = useState(false)
  // The panel is another one at another place, without what is typed in its dialogs: it changes when they are closed.
  if (isNarrow !== isNarrowNow && !isKept) setNarrow(isNarrowNow)
  const [width, setWidth] = useStore('terminal.panelWidth', widths.initial)
  const opened = useOpenedFiles(serverId, pane.folder)
  const name = paneName({ serverId, ...pane, sessionNumber: 1 })
  const close = () => {
    onClose()
    // A drawer gives the focus back by itself.
    if (!isNarrow) pane.screen.focus()
  }
  const files = (
    <Suspense>
      <FilePanel {...opened} serverName={name} onClose={close} onKeep={setKept} />
    </Suspense>
  )
  if (isNarrow) {
    return (
      <Drawer
        open
        anchor="right"
        onClose={onClose}
        slotProps={{ paper: { sx: { width: 'min(100%, 420px)' }, 'aria-label': translate('app.terminal.files') } }}
      >
        {files}
      </Drawer>
    )
  }
  const onDrag = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) return
    const side = event.currentTarget.parentElement as HTMLElement
    setWidth(clampWidth(side.getBoundingClientRect().right - event.clientX))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') setWidth(clampWidth(width + widths.step))
    else if (event.key === 'ArrowRight') setWidth(clampWidth(width - widths.step))
    else return
    event.preventDefault()
  }
  return (
    <Side id={filesId} style={{ width: clampWidth(width) }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; this one can */}
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={translate('app.terminal.panel_width')}
        aria-valuenow={clampWidth(width)}
        aria-valuemin={widths.min}
        aria-valuemax={widths.max}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onDrag}
        onKeyDown={onKey}
      />
      {files}
    </Side>
  )
}

const Side = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  flex: 'none',
  minHeight: 0,
  maxWidth: '70%',
  borderInlineStart: `1px solid ${theme.vars.palette.divider}`,
  '& > [role=separator]': {
    position: 'absolute',
    insetBlock: 0,
    insetInlineStart: -4,
    zIndex: 1,
    width: 8,
    cursor: 'col-resize',
    touchAction: 'none',
    '&:hover': { background: theme.vars.palette.action.hover },
  },
}))
