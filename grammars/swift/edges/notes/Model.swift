import Foundation

protocol Storage {
    func save(_ note: Note) -> Bool
    func load(id: Int) -> Note?
}

extension Storage {
    func saveAll(_ notes: [Note]) {
        for note in notes {
            _ = save(note)
            note.touch()
        }
    }
}

class Entry {
    let title: String

    init(title: String) {
        self.title = Entry.clean(title)
    }

    static func clean(_ text: String) -> String {
        return text
    }

    func touch() {
    }

    func render() -> String {
        return title
    }
}

class Note: Entry {
    var author: Author?
    let style = Style()
    lazy var parts: [Part] = []

    init(author: Author) {
        self.author = author
        super.init(title: author.name())
    }

    convenience init() {
        self.init(author: Author())
    }

    override func render() -> String {
        let base = super.render()
        touch()
        for part in parts {
            part.draw()
        }
        if let author = author {
            _ = author.name()
        }
        return base + style.bold().apply(1)
    }

    static func make() -> Note {
        return Note(author: Author())
    }

    struct Part {
        func draw() {
        }
    }
}

struct Author {
    func name() -> String { "" }
}

struct Style {
    func bold() -> Style { self }

    func apply(_ times: Int) -> String { "" }

    func apply(_ times: Int, to text: String) -> String { text }
}
