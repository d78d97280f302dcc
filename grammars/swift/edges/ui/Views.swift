protocol Renderable: AnyObject {
    var size: Size { get }
    func render(into canvas: Canvas)
}

extension Renderable {
    func show(on canvas: Canvas) {
        render(into: canvas)
        size.scaled(by: 2)
    }
}

struct Size: Equatable {
    var width = 0

    static let zero = Size(width: 0)

    func scaled(by factor: Int) -> Size {
        return self
    }

    mutating func reset() {
    }
}

final class Canvas {
    private(set) var layers: [Layer] = []
    var onDraw: ((Layer) -> Void)?

    func draw(_ layer: Layer) {
        layers.first?.merge(with: layer)
        layers.filter { $0.isVisible() }.forEach { layer in layer.flush() }
        layers.map { $0.size }.first?.flush()
        onDraw?(layer)
        let total = Size.zero.scaled(by: 2).width + layer.depth()
        if !layer.isVisible() {
            layer.flush()
        }
        switch layer.kind {
        case .plain:
            layer.kind.label()
        default:
            break
        }
    }
}

class Layer {
    enum Kind {
        case plain, rich

        func label() -> String { "" }
    }

    let kind: Kind
    var size: Size
    weak var parent: Layer?

    init(kind: Kind) {
        self.kind = kind
    }

    func isVisible() -> Bool { true }

    func merge(with other: Layer) {
        if let parent {
            parent.flush()
        }
        guard let parent, parent.isVisible() else { return }
        parent.merge(with: self)
        if let label = other as? TextLayer {
            label.reset()
        }
        self.size.reset()
    }

    func flush() {
    }

    func depth() -> Int {
        return 1 + (parent?.depth() ?? 0)
    }
}

class TextLayer: Layer, Renderable {
    func render(into canvas: Canvas) {
        canvas.draw(self)
        Self.make().reset()
        show(on: canvas)
    }

    override func flush() {
        super.flush()
    }

    class func make() -> TextLayer {
        let layer: TextLayer = .init(kind: .plain)
        layer.flush()
        return layer
    }

    func reset() {
    }
}
