/**
 * Puts HTML into the page as if it had stood there from the start: styles apply, and scripts run in their order, each
 * after those before it have been fetched and run. What fails is logged and does not stop the rest.
 */
export async function injectCode(html: string): Promise<void> {
  const template = document.createElement('template')
  template.innerHTML = html
  // Scripts that come by innerHTML are dead: each is replaced by one of the same text, in its place.
  const scripts = [...template.content.querySelectorAll('script')]
  for (const node of [...template.content.childNodes]) placeOf(node).append(node)
  for (const script of scripts) await run(script)
}

const headMatter = new Set(['STYLE', 'LINK', 'META', 'SCRIPT', 'BASE'])

const placeOf = (node: Node) => (headMatter.has(node.nodeName) ? document.head : document.body)

function run(dead: HTMLScriptElement): Promise<void> {
  const script = document.createElement('script')
  for (const attribute of dead.attributes) script.setAttributeNode(attribute.cloneNode() as Attr)
  script.text = dead.text
  const mayWait = script.src !== '' && !dead.hasAttribute('async')
  // What a page adds runs as soon as it is there, unless it is told to keep the order.
  script.async = dead.hasAttribute('async')
  return new Promise((resolve) => {
    script.onload = () => resolve()
    script.onerror = () => {
      console.error(`The custom code asks for a script that cannot be had: ${script.src}`)
      resolve()
    }
    // One that throws is logged by the browser itself.
    dead.replaceWith(script)
    if (!mayWait) resolve()
  })
}
