/* SPDX-License-Identifier: MIT */
/* A formula in plain text as MathML, which browsers draw without help:
 * formula("S = 1 / ((1 - p) + p / n)").  a / b is a fraction, a^b and a_b are
 * raised and lowered, sqrt(x) is a root; parentheses that only group a part
 * vanish. */
"use strict";

var formulaSigns = {
    "*": "&#183;", "-": "&#8722;", "<=": "&#8804;", ">=": "&#8805;",
    "<": "&lt;", ">": "&gt;"
};
var formulaNames = {
    eta: "&#951;", epsilon: "&#949;", sum: "&#8721;", sigma: "&#963;",
    mu: "&#956;", beta: "&#946;", lambda: "&#955;", infinity: "&#8734;",
    partial: "&#8706;"
};

function formulaTokens(text) {
    return text.match(/[A-Za-z]+[0-9]*|[0-9][0-9.,]*|<=|>=|"[^"]*"|[^\s]/g);
}

/* A part: MathML, and what it is without its parentheses. */
function formulaPart(mathml, bare) {
    return { all: mathml, bare: bare || mathml };
}

/* An operand: a name, a number, words in quotes, or something in
 * parentheses. */
function formulaOperand(tokens) {
    var token = tokens.shift(), inside;

    if (token === undefined) throw new Error("a formula ends too early");
    if (token === "(") {
        inside = formulaSum(tokens);
        if (tokens.shift() !== ")") throw new Error("no )");
        return formulaPart("<mrow><mo>(</mo>" + inside + "<mo>)</mo></mrow>",
            "<mrow>" + inside + "</mrow>");
    }
    if (token === "-")
        return formulaPart("<mrow><mo>&#8722;</mo>" + formulaPower(tokens).all
            + "</mrow>");
    if (token === "sqrt")
        return formulaPart("<msqrt>" + formulaOperand(tokens).bare
                           + "</msqrt>");
    if (/^"/.test(token))
        return formulaPart("<mtext>" + token.slice(1, -1) + "</mtext>");
    if (/^[0-9]/.test(token)) return formulaPart("<mn>" + token + "</mn>");
    if (/^[A-Za-z]/.test(token))
        return formulaPart(token === "sum" ? "<mo>&#8721;</mo>"
            : "<mi>" + (formulaNames[token] || token) + "</mi>");
    throw new Error("unexpected " + token);
}

/* An operand with what is raised or lowered at it. */
function formulaPower(tokens) {
    var base = formulaOperand(tokens), low = "", high = "";

    while (tokens[0] === "_" || tokens[0] === "^") {
        var sign = tokens.shift(), part = formulaOperand(tokens).bare;

        if (sign === "_") low = part;
        else high = part;
    }
    if (low && high)
        return formulaPart("<msubsup>" + base.all + low + high + "</msubsup>");
    if (low || high) {
        var tag = low ? "msub" : "msup";

        return formulaPart("<" + tag + ">" + base.all + (low || high)
            + "</" + tag + ">");
    }
    return base;
}

/* Operands with * and / between them, or side by side. */
function formulaProduct(tokens) {
    var left = formulaPower(tokens), text = left.all, bare = left.bare;

    while (tokens.length && !/^([-+=<>),]|<=|>=)$/.test(tokens[0])) {
        if (tokens[0] === "/") {
            tokens.shift();
            text = "<mfrac>" + bare + formulaPower(tokens).bare + "</mfrac>";
        } else {
            var dot = tokens[0] === "*";

            if (dot) tokens.shift();
            text = "<mrow>" + text
                + (dot ? "<mo>&#183;</mo>" : "<mspace width='0.2em'/>")
                + formulaPower(tokens).all + "</mrow>";
        }
        bare = text;
    }
    return text;
}

/* Products with signs between them. */
function formulaSum(tokens) {
    var text = formulaProduct(tokens);

    while (tokens.length && tokens[0] !== ")") {
        var sign = tokens.shift();

        text += "<mo>" + (formulaSigns[sign] || sign) + "</mo>"
            + formulaProduct(tokens);
    }
    return text;
}

/* The whole formula, on a line of its own. */
function formula(text) {
    var tokens = formulaTokens(text), mathml = formulaSum(tokens);

    if (tokens.length) throw new Error("unexpected " + tokens[0]);
    return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" "
        + "display=\"block\" "
        + "alttext=\"" + text.replace(/"/g, "") + "\"><mrow>" + mathml
        + "</mrow></math>";
}
