// @ts-nocheck: this is the only file for browsers; the types of the others know none.
// The reader of /docs: lists what /openapi.json says, and needs nothing else.

function make(name, className, ...children) {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...children)
  return element
}

function byId(id) {
  return document.getElementById(id)
}

/** A schema in a few words, as one would write the value. */
function sketch(schema, indent = '') {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const several = schema.anyOf ?? schema.oneOf
  if (several) return sketchUnion(several, indent)
  if (schema.type === 'array') return `[${sketch(schema.items ?? {}, indent)}, …]`
  if (schema.type === 'object') return sketchObject(schema, indent)
  return schema.type ?? 'any JSON'
}

/** Objects of several shapes have a line each; what all of them have is said once. */
function sketchUnion(several, indent) {
  const isObjects = several.every(({ type, properties }) => type === 'object' && properties)
  if (!isObjects) return [...new Set(several.map((each) => sketch(each, indent)))].join(' | ')
  const common = Object.keys(several[0].properties).filter((name) =>
    several.every((each) => isSame(each, several[0], name)),
  )
  const lines = new Set(several.map((each) => inLine(each, common)))
  const rest = { type: 'object', properties: pick(several[0].properties, common), required: several[0].required }
  const also = common.length === 0 ? '' : `\n${indent}each with ${sketchObject(rest, indent)}`
  return `one of\n${[...lines].map((line) => `${indent}  ${line}`).join('\n')}${also}`
}

function isSame(one, other, name) {
  const [a, b] = [one, other].map(({ properties, required = [] }) => [properties[name], required.includes(name)])
  return JSON.stringify(a) === JSON.stringify(b)
}

function pick(members, names) {
  return Object.fromEntries(names.map((name) => [name, members[name]]))
}

/** A schema on one line, without what is said of its members. */
function inLine(schema, left = []) {
  const several = schema.anyOf ?? schema.oneOf
  if (several) return [...new Set(several.map((each) => inLine(each)))].join(' | ')
  if (schema.type === 'array') return `[${inLine(schema.items ?? {})}, …]`
  if (schema.type !== 'object' || 'const' in schema || schema.enum) return sketch(schema)
  const members = Object.entries(schema.properties ?? {})
    .filter(([name]) => !left.includes(name))
    .map(([name, member]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${inLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function sketchObject(schema, indent) {
  const deeper = `${indent}  `
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    const said = member.description ? `  // ${member.description}` : ''
    return `${deeper}${name}${optional}: ${sketch(member, deeper)}${said}`
  })
  if (schema.additionalProperties) members.push(`${deeper}…: ${sketch(schema.additionalProperties, deeper)}`)
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${indent}}`
}

function parametersOf(parameters) {
  const list = make('dl')
  for (const { name, in: where, required, schema, description } of parameters) {
    const kind = schema.const ?? schema.enum?.join(' | ') ?? schema.type ?? 'text'
    const mark = make('span', 'mark', ` ${where}, ${kind}${required ? '' : ', optional'}`)
    list.append(make('dt', '', make('code', '', name), mark), make('dd', '', description ?? ''))
  }
  return list
}

function* partsOf(operation) {
  const lines = operation.description?.split('\n') ?? []
  for (const [at, { source }] of (operation['x-codeSamples'] ?? []).entries()) {
    if (lines[at]) yield make('p', '', lines[at])
    yield make('pre', '', source)
  }
  if (operation.security?.length === 0) yield make('p', 'mark', 'Needs no token.')
  if (operation.parameters.length > 0) {
    yield make('h3', '', 'Parameters')
    yield parametersOf(operation.parameters)
  }
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    yield make('h3', '', `Body, ${type}`)
    yield make('pre', '', sketch(schema))
  }
  for (const [status, { content = {} }] of Object.entries(operation.responses)) {
    if (Number(status) >= 300) continue
    yield make('h3', '', `Answer, ${status}`)
    for (const { schema } of Object.values(content)) yield make('pre', '', sketch(schema))
  }
  const refused = Object.keys(operation.responses).filter((status) => Number(status) >= 400)
  yield make('h3', '', `Refusals, ${refused.join(', ')}`)
  yield make('pre', '', '{ error, message, hint, … }')
}

function entryOf(method, path, operation) {
  const says = make('span', 'says', operation.summary)
  const line = make('summary', '', make('span', `method ${method}`, method), make('code', '', path), says)
  const entry = make('details', '', line)
  entry.id = operation.operationId
  entry.dataset.words =
    `${method} ${path} ${operation.operationId} ${operation.summary} ${operation.description ?? ''}`.toLowerCase()
  // What is inside is made when it is looked at: there is a lot of it.
  entry.addEventListener('toggle', () => {
    if (entry.open && entry.childElementCount === 1) {
      entry.append(make('div', 'inside', ...partsOf(operation)))
    }
  })
  return entry
}

function show(description) {
  const sections = new Map()
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // By its name it is one more way to what stands in this list already.
      if (operation['x-also-at']) continue
      const [tag] = operation.tags
      const section = sections.get(tag) ?? make('section', '', make('h2', '', tag))
      sections.set(tag, section)
      section.append(entryOf(method.toUpperCase(), path, operation))
    }
  }
  byId('version').textContent = description.info.version
  byId('about').textContent = description.info.description
  byId('shell').textContent = [
    `export CAIRN_URL=${location.origin} CAIRN_TOKEN="$(cat "\${CAIRN_HOME:-$HOME/.cairn}/token")"`,
    'export SESSION=…  # an id, a slug or a name',
  ].join('\n')
  byId('operations').append(...sections.values())
  byId('search').addEventListener('input', filter)
  filter()
  openMeant()
}

function filter() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const section of document.querySelectorAll('section')) {
    let left = 0
    for (const entry of section.querySelectorAll('details')) {
      entry.hidden = !words.every((word) => entry.dataset.words?.includes(word))
      if (!entry.hidden) left += 1
    }
    section.hidden = left === 0
    count += left
  }
  byId('count').textContent = count === 0 ? 'Nothing fits.' : count === 1 ? 'One operation' : `${count} operations`
}

/** Opens the operation that the address names. */
function openMeant() {
  const meant = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(meant instanceof HTMLDetailsElement)) return
  meant.open = true
  meant.scrollIntoView()
}

window.addEventListener('hashchange', openMeant)

try {
  const response = await fetch('/openapi.json')
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  show(await response.json())
} catch (error) {
  byId('about').textContent = `The description cannot be read: ${error instanceof Error ? error.message : error}.`
}
