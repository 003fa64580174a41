import { styled } from '@mui/material/styles'
import { useTimeout, useTranslate } from 'react-admin'

const Bar = styled('div')(({ theme }) => ({
  height: 10,
  borderRadius: 4,
  background: theme.vars.palette.action.hover,
}))

/** Milliseconds. */
const delay = 200

/** Placeholder rows of the final height while a list loads; nothing for a list that loads at once. */
export function LoadingRows({ span, rows = 5 }: { span: number; rows?: number }) {
  const translate = useTranslate()
  const late = useTimeout(delay)
  if (!late) return null
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are never reordered
    <tr key={row}>
      <td colSpan={span}>
        {row === 0 ? (
          <span role="status" className="visually-hidden">
            {translate('app.list.loading')}
          </span>
        ) : null}
        <Bar style={{ width: `${90 - row * 12}%` }} />
      </td>
    </tr>
  ))
}
