import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { type MouseEvent, type ReactNode, useId, useState } from 'react'
import { LazyMenu } from '../engine/parts/LazyMenu.tsx'
import type { MenuOption } from '../engine/parts/menuProps.ts'

interface MenuButtonProps {
  /** Name of the button, for its tooltip and for screen readers. */
  label: string
  icon: ReactNode
  /** Text beside the icon, where there is room. */
  text?: string
  items: readonly MenuOption[]
}

/** A button that opens a menu. */
export function MenuButton({ label, icon, text, items }: MenuButtonProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const close = () => setAnchor(undefined)
  const button = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': Boolean(anchor),
    'aria-controls': anchor ? id : undefined,
    onClick: (event: MouseEvent<HTMLElement>) => setAnchor(event.currentTarget),
  }
  return (
    <>
      {text ? (
        <Button
          {...button}
          color="inherit"
          startIcon={icon}
          aria-label={`${label}: ${text}`}
          sx={{ maxWidth: 180, fontWeight: 500 }}
        >
          <Text>{text}</Text>
        </Button>
      ) : (
        <IconButton {...button} color="inherit" title={label} aria-label={label}>
          {icon}
        </IconButton>
      )}
      <LazyMenu id={id} label={label} anchor={anchor} side="right" options={items} onClose={close} />
    </>
  )
}

const Text = styled('span')({ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' })
