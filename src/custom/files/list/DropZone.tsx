import { styled } from '@mui/material/styles'
import { type DragEvent, type ReactNode, useState } from 'react'

interface DropZoneProps {
  /** Whether files may be dropped now. */
  isOpen: boolean
  /** Shown while something is held above it. */
  hint: string
  onReceive: (files: DataTransfer) => void
  children: ReactNode
}

/** Takes files and folders that are dropped from the desktop. */
export function DropZone({ isOpen, hint, onReceive, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const accepts = (event: DragEvent) => isOpen && event.dataTransfer.types.includes('Files')
  return (
    <Zone
      onDragOver={(event) => {
        if (!accepts(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!accepts(event)) return
        event.preventDefault()
        onReceive(event.dataTransfer)
      }}
    >
      {children}
      {isOver ? <p className="hint">{hint}</p> : null}
    </Zone>
  )
}

const Zone = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: 1,
  minHeight: 0,
  '& > .hint': {
    position: 'absolute',
    inset: 8,
    display: 'grid',
    placeItems: 'center',
    margin: 0,
    padding: 16,
    textAlign: 'center',
    overflowWrap: 'anywhere',
    border: `2px dashed ${theme.vars.palette.primary.main}`,
    borderRadius: theme.shape.borderRadius,
    background: `color-mix(in srgb, ${theme.vars.palette.background.paper} 90%, transparent)`,
    pointerEvents: 'none',
  },
}))
