import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import { type MouseEvent, type ReactNode, useId, useState } from 'react'

/** One entry of the menu. */
export interface MenuButtonItem {
  key: string
  label: string
  icon?: ReactNode
  /** In a menu of choices: whether this is the current one. */
  checked?: boolean
  /** Language of the label, when it is not the page's own. */
  lang?: string
  onSelect: () => void
}

interface MenuButtonProps {
  /** Name of the button, for its tooltip and for screen readers. */
  label: string
  icon: ReactNode
  /** Text beside the icon, where there is room. */
  text?: string
  items: MenuButtonItem[]
}

/** A button that opens a menu. */
export function MenuButton({ label, icon, text, items }: MenuButtonProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
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
      <Menu
        id={id}
        anchorEl={anchor}
        open={Boolean(anchor)}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': label }, paper: { sx: { marginTop: 1 } } }}
      >
        {items.map(({ key, label: itemLabel, icon: itemIcon, checked, lang, onSelect }) => (
          <MenuItem
            key={key}
            lang={lang}
            selected={checked}
            role={checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={checked}
            onClick={() => {
              close()
              onSelect()
            }}
          >
            {itemIcon && <ListItemIcon>{itemIcon}</ListItemIcon>}
            {itemLabel}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

const Text = styled('span')({ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' })
