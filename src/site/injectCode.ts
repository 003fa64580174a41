/**
 * Adds HTML to the page as if it had been there from the start: styles apply, and scripts run in order, each after the
 * ones before were fetched and run. Failures are logged and do not stop the rest.
 */
export async function injectCode(html: string): Promise<void> {
  const template = document.createElement('template')
  template.innerHTML = html
  // Scripts added by innerHTML do not run: each is replaced by a new one with the same text.
  const scripts = [...template.content.querySelectorAll('script')]
  for (const node of [...template.content.childNodes]) parentFor(node).append(node)
  for (const script of scripts) await run(script)
}

const headElements = new Set(['STYLE', 'LINK', 'META', 'SCRIPT', 'BASE'])

const parentFor = (node: Node) => (headElements.has(node.nodeName) ? document.head : document.body)

function run(inert: HTMLScriptElement): Promise<void> {
  const script = document.createElement('script')
  for (const attribute of inert.attributes) script.setAttributeNode(attribute.cloneNode() as Attr)
  script.text = inert.text
  const isBlocking = script.src !== '' && !inert.hasAttribute('async')
  // Added scripts run as soon as they are loaded, unless `async` is false.
  script.async = inert.hasAttribute('async')
  return new Promise((resolve) => {
    script.onload = () => resolve()
    script.onerror = () => {
      console.error(`The custom code asks for a script that cannot be had: ${script.src}`)
      resolve()
    }
    // The browser logs scripts that throw.
    inert.replaceWith(script)
    if (!isBlocking) resolve()
  })
}
