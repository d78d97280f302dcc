extension Note {
    enum Mood {
        case calm
        case wild

        func label() -> String { "" }

        static func parse(_ text: String) -> Mood { .calm }
    }

    func archive() {
        touch()
        Mood.parse("x").label()
        Mood.wild.label()
    }
}

extension String {
    func shout() -> String { self }
}
