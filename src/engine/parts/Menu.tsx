import ListItemIcon from '@mui/material/ListItemIcon'
import MuiMenu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import type { MenuProps } from './menuProps.ts'

/** A menu, which closes before what was chosen begins. */
export default function Menu({ id, label, anchor, side = 'left', options, onClose }: MenuProps) {
  return (
    <MuiMenu
      id={id}
      anchorEl={anchor}
      open={anchor !== undefined}
      onClose={onClose}
      {...(side === 'right' && {
        anchorOrigin: { vertical: 'bottom', horizontal: 'right' },
        transformOrigin: { vertical: 'top', horizontal: 'right' },
      })}
      slotProps={{
        list: { 'aria-label': label },
        paper: side === 'right' ? { sx: { marginTop: 1 } } : {},
      }}
    >
      {options.map(({ key, label: text, icon, keyName, checked, isOn, lang, isDangerous, onSelect }) => (
        <MenuItem
          key={key}
          lang={lang}
          selected={checked ?? isOn}
          role={checked !== undefined ? 'menuitemradio' : isOn !== undefined ? 'menuitemcheckbox' : 'menuitem'}
          aria-checked={checked ?? isOn}
          aria-keyshortcuts={keyName}
          sx={{ color: isDangerous ? 'error.main' : undefined, whiteSpace: 'normal', overflowWrap: 'anywhere' }}
          onClick={() => {
            onClose()
            onSelect()
          }}
        >
          {icon && <ListItemIcon>{icon}</ListItemIcon>}
          {text}
          {isOn && (
            <span aria-hidden style={{ marginInlineStart: 'auto', paddingInlineStart: 24 }}>
              ✓
            </span>
          )}
          {keyName && <kbd style={{ marginInlineStart: 'auto', paddingInlineStart: 24 }}>{keyName}</kbd>}
        </MenuItem>
      ))}
    </MuiMenu>
  )
}
