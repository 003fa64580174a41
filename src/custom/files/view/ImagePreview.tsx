import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'

/** A picture, in nothing but an `<img>`: scripts inside an SVG do not run there. */
export function ImagePreview({ blob, name }: { blob: Blob; name: string }) {
  const translate = useTranslate()
  const [isBroken, setBroken] = useState(false)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (isBroken) return translate('app.files.broken_image')
  if (!url) return null
  return (
    <img
      src={url}
      alt={name}
      onError={() => setBroken(true)}
      style={{ display: 'block', maxWidth: '100%', maxHeight: '70vh', margin: '0 auto', objectFit: 'contain' }}
    />
  )
}
