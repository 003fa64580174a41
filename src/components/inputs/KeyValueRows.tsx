import AddIcon from '@mui/icons-material/Add'
import CloseIcon from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { parseStringMap } from '../../schemas/formats/stringMap.ts'

interface KeyValueRowsProps {
  /** The id of the first input, for the field's label. */
  id: string
  /** JSON of an object with text values, or blank. */
  text: string
  label: string
  onChange: (text: string) => void
}

type Pair = readonly [name: string, value: string]

/** Key-value pairs as rows of two inputs. A row without a key is not part of the text, but stays on screen. */
export function KeyValueRows({ id, text, label, onChange }: KeyValueRowsProps) {
  const translate = useTranslate()
  const [rows, setRows] = useState<readonly Pair[]>(() => pairsIn(text))
  // The text was changed elsewhere: show the new one.
  const shown = textOf(rows) === textOf(pairsIn(text)) ? rows : pairsIn(text)
  const change = (next: readonly Pair[]) => {
    setRows(next)
    onChange(textOf(next))
  }
  const name = translate('app.form.pair_name')
  const value = translate('app.form.pair_value')
  return (
    <div style={{ display: 'grid', gap: 8, marginTop: 4 }}>
      {shown.map((pair, index) => {
        const write = (part: Pair) => change(shown.with(index, part))
        const at = `${label}, ${index + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position; keys may be empty or repeated
          <div key={index} style={{ display: 'flex', gap: 8 }}>
            <OutlinedInput
              id={index === 0 ? id : undefined}
              size="small"
              placeholder={name}
              value={pair[0]}
              onChange={(event) => write([event.target.value, pair[1]])}
              slotProps={{ input: { 'aria-label': `${at}: ${name}` } }}
              sx={{ flex: 2 }}
            />
            <OutlinedInput
              size="small"
              placeholder={value}
              value={pair[1]}
              onChange={(event) => write([pair[0], event.target.value])}
              slotProps={{ input: { 'aria-label': `${at}: ${value}` } }}
              sx={{ flex: 3 }}
            />
            <IconButton
              size="small"
              aria-label={translate('app.form.remove_pair', { name: pair[0] || String(index + 1) })}
              onClick={() => change(shown.toSpliced(index, 1))}
            >
              <CloseIcon fontSize="small" />
            </IconButton>
          </div>
        )
      })}
      <Button
        size="small"
        startIcon={<AddIcon fontSize="small" />}
        onClick={() => setRows([...shown, ['', '']])}
        sx={{ justifySelf: 'start' }}
      >
        {translate('app.form.add_pair')}
      </Button>
    </div>
  )
}

const pairsIn = (text: string): Pair[] => Object.entries(parseStringMap(text) ?? {})

/** Without pairs the text is empty: servers read that as "none", or as "unchanged". */
function textOf(rows: readonly Pair[]): string {
  const named = rows.filter(([name]) => name.trim() !== '')
  return named.length > 0 ? JSON.stringify(Object.fromEntries(named)) : ''
}
